import { MAX_BODY_BYTES } from '../decisions.ts';

export type ReadBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'empty' }
  | { kind: 'no-json' }
  | { kind: 'too-large' }
  | { kind: 'other-type' }
  /** The client disconnected before the end. */
  | { kind: 'cut' };

/** Reads a JSON body of at most MAX_BODY_BYTES, whatever length its headers claim. */
export async function readBody(request: Request): Promise<ReadBody> {
  const bytes = await readBytes(request);
  if (typeof bytes === 'string') return { kind: bytes };
  if (bytes.length === 0) return { kind: 'empty' };
  if (!isJson(request.headers)) return { kind: 'other-type' };
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { kind: 'no-json' };
  }
}

async function readBytes(request: Request): Promise<Buffer | 'too-large' | 'cut'> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return 'too-large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.length;
      if (size > MAX_BODY_BYTES) return 'too-large';
      chunks.push(part.value);
    }
  } catch {
    return 'cut';
  }
  return Buffer.concat(chunks);
}

function isJson(headers: Headers): boolean {
  const [type, ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  const encoding = headers.get('content-encoding') ?? 'identity';
  return (
    type?.trim() === 'application/json' &&
    (charset === undefined || /^charset="?utf-?8"?$/.test(charset.trim())) &&
    encoding === 'identity'
  );
}
