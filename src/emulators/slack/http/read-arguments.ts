import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { MAX_BODY_BYTES, readBytes } from './read-body.ts';

/**
 * The arguments of a Web API call. Slack's errors and warnings about their format are the same for all methods
 * (docs.slack.dev/apis/web-api).
 */
interface CallArguments {
  args: Json;
  /** The token among the arguments. A JSON body can't contain it. */
  token: string | undefined;
  warnings: readonly string[];
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const POST_TYPES = [JSON_TYPE, FORM, MULTIPART, 'text/plain'];
const CHARSETS = ['utf-8', 'iso-8859-1'];
/** Longer names are refused. Slack doesn't document the limit. */
const MAX_NAME_LENGTH = 255;

/** Arguments that can be lists in JSON. All others are strings, numbers or booleans. */
const LIST_ARGUMENTS = new Set(
  'attachments blocks channel_ids chunks file_ids files loading_messages metadata_keys_to_include prompts user_ids'.split(
    ' ',
  ),
);

function readPostType(request: IncomingMessage): MIMEType {
  const given = request.headers['content-type'];
  if (given === undefined) throw new Refusal('missing_post_type');
  const type = parseType(given);
  if (!type || !POST_TYPES.includes(type.essence)) throw new Refusal('invalid_post_type');
  const charset = type.params.get('charset');
  if (charset !== null && !CHARSETS.includes(charset.toLowerCase())) throw new Refusal('invalid_charset');
  return type;
}

function parseType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Slack warns about a charset of forms, and about other types without one. */
function findCharsetWarnings({ essence, params }: MIMEType): string[] {
  const isForm = essence === FORM || essence === MULTIPART;
  if (isForm === !params.has('charset')) return [];
  return [isForm ? 'superfluous_charset' : 'missing_charset'];
}

function parseJsonArguments(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json');
  }
  if (!isRecord(value)) throw new Refusal('json_not_object');
  return value;
}

/** Ignores files, since no method reads them. */
async function parseMultipartArguments(body: Buffer, type: MIMEType): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': String(type) } })
    .formData()
    .catch(() => {
      throw new Refusal('invalid_form_data');
    });
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

function requireNames(args: Json): void {
  for (const [name, value] of Object.entries(args)) {
    const isList = /\[\w*\]$/.test(name) || (Array.isArray(value) && !LIST_ARGUMENTS.has(name));
    if (isList) throw new Refusal('invalid_array_arg');
    if (!/^\w+$/.test(name) || name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_arg_name');
  }
}

async function readPost(request: IncomingMessage, query: Json, takesJson: boolean): Promise<CallArguments> {
  const body = await readBytes(request, MAX_BODY_BYTES);
  if (body.length === 0) return readQuery(query);
  const type = readPostType(request);
  const warnings = findCharsetWarnings(type);
  if (type.essence === JSON_TYPE) {
    // With JSON, Slack ignores the query, and the token must be in its header.
    const { token: _, ...args } = takesJson ? parseJsonArguments(decode(body, type)) : {};
    requireNames(args);
    return { args, token: undefined, warnings };
  }
  const form =
    type.essence === FORM
      ? Object.fromEntries(new URLSearchParams(decode(body, type)))
      : type.essence === MULTIPART
        ? await parseMultipartArguments(body, type)
        : {};
  const { token, ...args } = { ...query, ...form };
  requireNames(args);
  return { args, token: textOrUndefined(token), warnings };
}

function decode(body: Buffer, type: MIMEType): string {
  return new TextDecoder(type.params.get('charset') ?? 'utf-8').decode(body);
}

const textOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Reads the query and the body. Throws a {@link Refusal} for malformed requests. */
export async function readArguments(
  request: IncomingMessage,
  url: URL,
  takesJson: boolean,
): Promise<CallArguments> {
  const query: Json = Object.fromEntries(url.searchParams);
  requireNames(query);
  if (request.method === 'POST') return readPost(request, query, takesJson);
  // Slack ignores the body of a GET.
  request.resume();
  return readQuery(query);
}

function readQuery({ token, ...args }: Json): CallArguments {
  return { args, token: textOrUndefined(token), warnings: [] };
}
