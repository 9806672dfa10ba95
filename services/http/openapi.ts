import { z } from 'zod';
import { PROBLEMS, type ProblemCode, problemSchema } from '../contracts/problems.ts';
import type { Access, Route } from './route.ts';

type Json = Record<string, unknown>;

const SECURITY: Record<Access, Json[]> = {
  public: [],
  'signed-in': [{ accessToken: [] }],
  'owner-or-admin': [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  'id-token-or-user': [{ idToken: [] }, { accessToken: [] }],
};

const ACCESS_PROBLEMS: Record<Access, readonly ProblemCode[]> = {
  public: [],
  'signed-in': ['unauthenticated'],
  'owner-or-admin': ['unauthenticated', 'forbidden', 'email_not_verified'],
  admin: ['unauthenticated', 'forbidden', 'email_not_verified'],
  'id-token-or-user': ['unauthenticated'],
};

export function openApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Micro Center', version: '1.0.0', description: 'An online shop for computer parts.' },
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token from PUT /users/{email}.',
        },
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An ID token from Firebase.' },
      },
    },
  };
}

export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

export function problemsOf(route: Route): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>([...ACCESS_PROBLEMS[route.access], ...(route.problems ?? [])]);
  if (route.params || route.target) codes.add('not_found');
  if (route.query || route.body) codes.add('invalid_request');
  if (route.body) for (const code of BODY_PROBLEMS) codes.add(code);
  if (route.idempotent) codes.add('idempotency_key_reused');
  if (route.method !== 'GET') for (const code of COMMAND_PROBLEMS) codes.add(code);
  return [...codes, 'too_many_requests', 'store_unavailable', 'internal'];
}

const BODY_PROBLEMS = ['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const;
const COMMAND_PROBLEMS = ['overloaded', 'shutting_down'] as const;

function operation(route: Route): Json {
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^a-zA-Z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: route.summary,
    'x-access': route.access,
    security: SECURITY[route.access],
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...headerParameters(route)],
    ...(route.body && {
      requestBody: {
        required: isRequired(route.body),
        content: { 'application/json': { schema: jsonSchema(route.body, 'input') } },
      },
    }),
    responses: { [route.answer.status]: success(route), ...problemResponses(route) },
  };
}

function isRequired(body: z.core.$ZodType): boolean {
  return !z.safeParse(body, undefined).success;
}

function success({ answer, method }: Route): Json {
  const schema = answer.schema ? jsonSchema(answer.schema, 'output') : { type: 'string' };
  return {
    description:
      method === 'GET' ? 'The requested data.' : 'The request succeeded. All events that it appended are durable.',
    content: { [answer.mediaType ?? 'application/json']: { schema } },
  };
}

function problemResponses(route: Route): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(route)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function parameters(place: 'path' | 'query', inputs: z.core.$ZodType = z.object({})): Json[] {
  const { properties = {}, required = [] } = jsonSchema(inputs, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: place, required: required.includes(name), schema };
  });
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Repeating a request with the same key and body has the same effect as sending it once.',
  schema: { type: 'string', maxLength: 200 },
};

function headerParameters({ header, idempotent }: Route): Json[] {
  const own = header ? [{ ...header, in: 'header', required: true, schema: { type: 'string' } }] : [];
  return idempotent ? [...own, IDEMPOTENCY_KEY] : own;
}

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
