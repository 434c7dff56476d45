/** Calls operations of the service and counts the calls. */
export class Client {
  calls = 0;
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  get(path: string): Promise<any> {
    return this.#call('GET', path);
  }

  /** Sends JSON, or a PDF. @throws if the call fails, or a part of it */
  async post(path: string, body: object | Buffer): Promise<any> {
    const data = await this.#call('POST', path, body);
    if (data.success === false)
      throw new Error(`${path}: ${JSON.stringify(data.failures ?? data.errors).slice(0, 500)}`);
    return data;
  }

  /** Sends all items in calls of at most `limit` items, in the body field `name`. */
  async postAll(path: string, name: string, items: readonly object[], limit: number): Promise<any[]> {
    const answers = [];
    for (let first = 0; first < items.length; first += limit)
      answers.push(await this.post(path, { [name]: items.slice(first, first + limit) }));
    return answers;
  }

  async #call(method: string, path: string, body?: object | Buffer): Promise<any> {
    this.calls += 1;
    const isPdf = Buffer.isBuffer(body);
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body && { 'content-type': isPdf ? 'application/pdf' : 'application/json' }),
    };
    const sent = body && (isPdf ? new Uint8Array(body) : JSON.stringify(body));
    const answer = await fetch(this.#url + path, { method, headers, ...(sent && { body: sent }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: unknown }).data;
  }
}
