import { z } from 'zod';
import type { PageRequest } from '../page-request.ts';

const id = z.number();
const element = z.looseObject({ type: z.string() });
const values = z.record(z.string(), z.record(z.string(), element));
const container = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({ type: z.literal('view'), viewId: z.string() }),
  z.object({ type: z.literal('home'), app: z.string().exactOptional() }),
]);
const elementFields = { container, blockId: z.string(), actionId: z.string() };

/** Validates a request of the page. The type annotation makes the compiler compare it with the protocol. */
export const pageRequestSchema: z.ZodType<PageRequest> = z.discriminatedUnion('act', [
  z.object({ id, act: z.literal('command'), channel: z.string(), text: z.string() }),
  z.object({
    id,
    act: z.literal('message'),
    channel: z.string(),
    text: z.string(),
    threadTs: z.string().exactOptional(),
  }),
  z.object({ id, act: z.literal('press'), ...elementFields, element, values }),
  z.object({ id, act: z.literal('submit'), viewId: z.string(), values }),
  z.object({ id, act: z.literal('close'), viewId: z.string(), all: z.boolean().exactOptional() }),
  z.object({ id, act: z.literal('options'), ...elementFields, value: z.string() }),
  z.object({
    id,
    act: z.literal('shortcut'),
    callbackId: z.string(),
    app: z.string().exactOptional(),
    message: z.object({ channel: z.string(), ts: z.string() }).exactOptional(),
  }),
  z.object({ id, act: z.literal('react'), channel: z.string(), ts: z.string(), name: z.string() }),
  z.object({
    id,
    act: z.literal('start-chat'),
    app: z.string().exactOptional(),
    channel: z.string().exactOptional(),
  }),
  z.object({ id, act: z.literal('chat-context'), ts: z.string(), channel: z.string() }),
  z.object({
    id,
    act: z.literal('run-step'),
    app: z.string().exactOptional(),
    callbackId: z.string(),
    inputs: z.record(z.string(), z.unknown()),
  }),
  z.object({ id, act: z.literal('open-dm'), user: z.string() }),
  z.object({ id, act: z.literal('history'), channel: z.string(), before: z.string() }),
  z.object({ id, act: z.literal('replies'), channel: z.string(), ts: z.string() }),
  z.object({ id, act: z.literal('home-opened'), app: z.string().exactOptional() }),
  z.object({ id, act: z.literal('messages-opened'), app: z.string().exactOptional() }),
  z.object({ id, act: z.literal('clock'), to: z.union([z.number(), z.literal('now')]) }),
  z.object({ id, act: z.literal('fault'), switch: z.string(), choice: z.string().exactOptional() }),
]);
