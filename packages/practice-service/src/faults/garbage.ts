/** Malformed answers: they contradict the API's description, or HTTP. */
export const GARBAGE = [
  'html',
  'empty',
  'no-content',
  'cut-json',
  'length-too-long',
  'length-too-short',
  'not-success',
  'success-as-text',
  'data-null',
  'data-text',
  'data-number',
  'data-nested',
  'data-items',
  'data-posts',
  'bare',
] as const;

type Garbage = (typeof GARBAGE)[number];

export interface GarbledAnswer {
  status: number;
  type: 'application/json' | 'text/html';
  body: string;
  /** A wrong Content-Length. Defaults to the body's. */
  length?: number;
}

const HTML = '<!doctype html><title>Bad gateway</title><h1>The service is being repaired.</h1>\n';

/** Bytes by which a Content-Length exceeds the body. */
const MISSING_BYTES = 100;

/** A malformed version of the answer with this `data`. */
export function garbleAnswer(garbage: Garbage, data: unknown): GarbledAnswer {
  const json = (value: unknown) =>
    ({ status: 200, type: 'application/json', body: JSON.stringify(value) }) as const;
  const whole = json({ data, success: true });
  const length = Buffer.byteLength(whole.body);
  switch (garbage) {
    case 'html':
      return { status: 200, type: 'text/html', body: HTML };
    case 'empty':
      return { ...whole, body: '' };
    case 'no-content':
      return { ...whole, status: 204, body: '' };
    case 'cut-json':
      return { ...whole, body: whole.body.slice(0, whole.body.length / 2) };
    case 'length-too-long':
      return { ...whole, length: length + MISSING_BYTES };
    case 'length-too-short':
      return { ...whole, length: Math.floor(length / 2) };
    case 'not-success':
      return json({ data, success: false });
    case 'success-as-text':
      return json({ data, success: 'true' });
    case 'data-null':
      return json({ data: null, success: true });
    case 'data-text':
      return json({ data: 'done', success: true });
    case 'data-number':
      return json({ data: 42, success: true });
    case 'data-nested':
      return json({ data: [[data]], success: true });
    case 'data-items':
      return json({ data: { items: Array.isArray(data) ? data : [data] }, success: true });
    case 'data-posts':
      return json({ data: { posts: Array.isArray(data) ? data : [data] }, success: true });
    case 'bare':
      return json(data);
  }
}
