import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';

const schema = z.object({ schema: z.object({ $ref: z.string() }) });
const content = z.object({ content: z.object({ 'application/json': schema }) });

const operationShape = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ $ref: z.string() }).or(z.object({ name: z.string(), in: z.string() }))),
  requestBody: content.optional(),
  responses: z.record(z.string(), content),
});

const documentShape = z.looseObject({
  servers: z.tuple([z.object({ url: z.string() })]),
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
});

// biome-ignore lint/suspicious/noExplicitAny: Tests read answers, which are checked against the document, freely.
type Json = any;

export type ControlClient = Awaited<ReturnType<typeof createControlClient>>;

/**
 * A client of the control API that knows nothing but its OpenAPI document. It checks each answer, and each body of a
 * successful call, against the document.
 */
export async function createControlClient(controlUrl: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${controlUrl}/openapi.json`, { headers });
  const served = z.looseObject({}).parse(await response.json());
  const document = documentShape.parse(served);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(served, 'document');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  const untried = new Set(operations.map(({ operationId }) => operationId));

  function check(part: z.infer<typeof content>, value: unknown, what: string): void {
    const { $ref } = part.content['application/json'].schema;
    const validate = ajv.getSchema(`document${$ref}`);
    if (!validate) throw new Error(`${$ref} is not in the document`);
    if (!validate(value)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
  }

  async function send(id: string, params: Record<string, string> = {}, body?: object) {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (!operation) throw new Error(`the document has no operation ${id}`);
    untried.delete(id);
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const query = Object.entries(params).filter(([name]) => !inPath.includes(name));
    const response = await fetch(`${document.servers[0].url}${path}?${new URLSearchParams(query)}`, {
      method: operation.method.toUpperCase(),
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: Json = await response.json();
    const described = operation.responses[response.status];
    if (!described) throw new Error(`${id} has no response ${response.status}: ${JSON.stringify(answer)}`);
    check(described, answer, `the answer of ${id}`);
    if (response.ok && operation.requestBody) check(operation.requestBody, body, `the body of ${id}`);
    return { status: response.status, body: answer };
  }

  return {
    document,
    /** Operations that no test has called. */
    listUntried: () => [...untried],
    send,
    /** Sends a call that succeeds, and returns the answer. */
    async call(...args: Parameters<typeof send>): Promise<Json> {
      const { status, body } = await send(...args);
      if (status !== 200) throw new Error(`${args[0]} failed: ${JSON.stringify(body)}`);
      return body;
    },
    /** Sends a call that fails, and returns the error. */
    async fail(...args: Parameters<typeof send>): Promise<Json> {
      const { status, body } = await send(...args);
      if (status === 200) throw new Error(`${args[0]} did not fail`);
      return { status, ...body };
    },
  };
}
