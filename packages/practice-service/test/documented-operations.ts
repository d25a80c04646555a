import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { DOCUMENT } from './running-service.ts';

// Parsed without the emulator's own code, so that tests find its mistakes.
const reference = z.object({ $ref: z.string() });

const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string() })).default([]),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ schema: reference }) }) })
    .optional(),
  responses: z.record(z.string(), reference),
});

const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.union([operation, z.array(reference)]))),
  components: z.object({
    schemas: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()).optional() })),
  }),
});

export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  /** The names of the query parameters. */
  query: readonly string[];
  /** The names of the body's fields; undefined if there is no body. */
  body: readonly string[] | undefined;
  /** References to response descriptions, by status. */
  responses: Readonly<Record<string, { $ref: string }>>;
}

const document: unknown = parse(readFileSync(DOCUMENT, 'utf8'));
const { paths, components } = documentShape.parse(document);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...z.record(z.string(), z.unknown()).parse(document), $id: 'document' });

export const documentedOperations: readonly DocumentedOperation[] = Object.entries(paths).flatMap(
  ([path, item]) =>
    Object.entries(item).flatMap(([method, description]) => {
      if (Array.isArray(description)) return [];
      const schema = description.requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
      const properties = components.schemas[schema]?.properties;
      return [
        {
          id: description.operationId,
          method: method.toUpperCase(),
          path,
          query: description.parameters.map(({ name }) => name),
          body: properties && Object.keys(properties),
          responses: description.responses,
        },
      ];
    }),
);

/** The function that validates response bodies for a status; undefined if the status isn't documented. */
export function getBodyValidator(
  { responses }: DocumentedOperation,
  status: number,
): ValidateFunction | undefined {
  const response = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
  if (response === undefined) return undefined;
  const validator = ajv.getSchema(`document${response.$ref}/content/application~1json/schema`);
  if (validator === undefined) throw new Error(`the document has no ${response.$ref}`);
  return validator;
}
