/**
 * A response whose whole text has arrived. Unlike that of a plain Response, its text isn't wrapped in a stream, which would
 * take most of the time that a response takes.
 */
export class TextResponse extends Response {
  readonly #text: string;

  constructor(text: string, init: Pick<ResponseInit, 'status' | 'headers'>) {
    super(null, init);
    this.#text = text;
  }

  override text = async (): Promise<string> => this.#text;
  override json = async (): Promise<unknown> => JSON.parse(this.#text);
  override clone = (): TextResponse => new TextResponse(this.#text, this);
}
