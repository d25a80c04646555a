import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type Fields, getOwn, getText, getTexts, isFields } from './narrowing.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

export interface ContractOperation {
  id: string;
  /** Upper case: GET. */
  method: string;
  /** As in the document: /api/v1/projects/{project_id}. */
  path: string;
  parameters: readonly ContractParameter[];
  /** The schema of the JSON body with resolved references; absent if the operation has no body. */
  body?: Fields;
  bodyRequired: boolean;
}

export interface ContractParameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  schema: Fields;
}

export interface Contract {
  operations: readonly ContractOperation[];
  /** The values of the document's schema Platform. */
  platforms: readonly string[];
}

/** Reads an OpenAPI 3.1 document and resolves its references. Throws if it lacks something that the emulator needs. */
export async function readContract(document: URL): Promise<Contract> {
  const root: unknown = parse(await readFile(document, 'utf8'));
  const operations = Object.entries(readFields(root, 'paths')).flatMap(([path, item]) =>
    METHODS.filter((method) => isFields(getOwn(item, method))).map((method) =>
      readOperation(root, path, method, item),
    ),
  );
  const platforms = getTexts(at(root, '#/components/schemas/Platform'), 'enum');
  if (platforms.length === 0) throw new Error('the OpenAPI document lists no platforms');
  return { operations, platforms };
}

function readOperation(root: unknown, path: string, method: string, item: unknown): ContractOperation {
  const operation = getOwn(item, method);
  const id = getText(operation, 'operationId');
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`);
  const parameters = [...list(item, 'parameters'), ...list(operation, 'parameters')];
  const body = resolve(root, getOwn(operation, 'requestBody'));
  const schema = getOwn(getOwn(getOwn(body, 'content'), 'application/json'), 'schema');
  return {
    id,
    method: method.toUpperCase(),
    path,
    parameters: parameters.flatMap((parameter) => readParameter(resolve(root, parameter))),
    ...(isFields(schema) && { body: schema }),
    bodyRequired: getOwn(body, 'required') === true,
  };
}

function readParameter(parameter: unknown): ContractParameter[] {
  const [name, place, schema] = [
    getText(parameter, 'name'),
    getText(parameter, 'in'),
    getOwn(parameter, 'schema'),
  ];
  if (name === undefined || !isFields(schema) || (place !== 'query' && place !== 'path')) return [];
  return [{ name, in: place, required: getOwn(parameter, 'required') === true, schema }];
}

/** Replaces every `$ref` in a value by its target. Recursive schemas aren't supported. */
function resolve(root: unknown, value: unknown, open: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(root, item, open));
  if (!isFields(value)) return value;
  const reference = getText(value, '$ref');
  if (reference === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(root, item, open)]));
  }
  if (open.includes(reference)) throw new Error(`${reference} refers to itself`);
  return resolve(root, at(root, reference), [...open, reference]);
}

function at(root: unknown, reference: string): unknown {
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(getOwn, root);
  if (found === undefined) throw new Error(`the OpenAPI document has no ${reference}`);
  return found;
}

function readFields(value: unknown, name: string): Fields {
  const found = getOwn(value, name);
  if (!isFields(found)) throw new Error(`the OpenAPI document has no ${name}`);
  return found;
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = getOwn(value, name);
  return Array.isArray(found) ? found : [];
}
