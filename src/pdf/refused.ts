/** Thrown with what is wrong, to follow the name of the file. */
export class Refused extends Error {}
