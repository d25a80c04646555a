import { z } from 'zod';
import { CODES_BY_STATUS, errorSchema, NO_BODY, type Route, TAGS } from './route.ts';
import { COMPONENTS } from './schemas.ts';

type JsonSchema = Record<string, unknown>;

/** Names all schemas: components by their own names, and others after their operation. */
function nameSchemas(routes: readonly Route[]) {
  const names = z.registry<{ id: string }>();
  const add = (schema: z.ZodType, id: string) => {
    if (!names.has(schema)) names.add(schema, { id });
  };
  for (const [name, schema] of Object.entries(COMPONENTS)) add(schema, name);
  add(errorSchema, 'Error');
  for (const { operationId, body, answer } of routes) {
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
    if (body !== NO_BODY) add(body, `${name}Request`);
    add(answer, `${name}Answer`);
  }
  return names;
}

type Names = ReturnType<typeof nameSchemas>;

/** Converts all schemas to JSON Schema 2020-12, with references to each other. */
function describeSchemas(names: Names): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(names, { uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, id: ___, ...schema }]) => [name, schema]),
  );
}

function describeContent(names: Names, schema: z.ZodType): JsonSchema {
  const $ref = `#/components/schemas/${names.get(schema)?.id}`;
  return { content: { 'application/json': { schema: { $ref } } } };
}

function describeParameters({ path, query }: Route): JsonSchema[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    description: name === 'person' ? 'A full name, first name, handle or user id.' : 'A name or id.',
  }));
  const inQuery = Object.entries(query.shape).map(([name, schema]) => {
    const { $schema: _, ...described } = z.toJSONSchema(schema);
    return { name, in: 'query', required: !schema.isOptional(), schema: described };
  });
  return [...inPath, ...inQuery, { $ref: '#/components/parameters/team' }];
}

/** Every operation can have all errors. */
function describeErrors(names: Names): Record<string, JsonSchema> {
  const responses = [...CODES_BY_STATUS].map(([status, codes]) => [
    String(status),
    { description: `Failed: ${codes.join(', ')}.`, ...describeContent(names, errorSchema) },
  ]);
  return Object.fromEntries(responses);
}

function describeOperation(names: Names, route: Route): JsonSchema {
  const { operationId, tag, summary, body, answer } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    parameters: describeParameters(route),
    ...(body === NO_BODY ? {} : { requestBody: { required: true, ...describeContent(names, body) } }),
    responses: {
      200: { description: 'Done.', ...describeContent(names, answer) },
      ...describeErrors(names),
    },
  };
}

/** Builds the OpenAPI 3.1 document of the control API. `url` is the address of the API. */
export function buildOpenApiDocument(routes: readonly Route[], url: string, needsToken: boolean): JsonSchema {
  const names = nameSchemas(routes);
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: describeOperation(names, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the local Slack',
      version: '1.0.0',
      description:
        'With this API, tests in any language act as the people of a workspace. ' +
        'The error of an action contains everything that the person sees.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    security: needsToken ? [{ token: [] }] : [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      parameters: {
        team: {
          ...{ name: 'team', in: 'query', required: false, schema: { type: 'string' } },
          description: 'The workspace, by id. Defaults to the first.',
        },
      },
      schemas: describeSchemas(names),
      securitySchemes: {
        token: {
          ...{ type: 'http', scheme: 'bearer' },
          description: 'The token in the address that the workspace printed. Not needed on loopback.',
        },
      },
    },
  };
}
