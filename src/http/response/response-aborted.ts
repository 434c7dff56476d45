/** The connection is gone or was broken on purpose: there is nobody to answer. */
export class ResponseAborted extends Error {}
