/** The client has disconnected, or the connection must be broken: no response can be sent. */
export class ResponseAborted extends Error {}
