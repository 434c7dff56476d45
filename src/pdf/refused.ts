/** Error with the fault of a file, as the rest of a sentence. */
export class Refused extends Error {}
