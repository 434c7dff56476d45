/** The part of negotiator that the service uses; the package has no types. */
export default class Negotiator {
  constructor(request: { headers: Readonly<Record<string, string | string[] | undefined>> });
  /**
   * Returns the encoding that the client prefers, or undefined if it accepts none.
   * @param options `preferred` decides between encodings that the client accepts equally
   */
  encoding<Encoding extends string>(
    available: readonly Encoding[],
    options?: { preferred: readonly Encoding[] },
  ): Encoding | undefined;
}
