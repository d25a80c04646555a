import { Hono } from 'hono';
import { bearerCheck } from '../http/bearer.ts';
import { faultPlan } from './fault-plan.ts';
import type { HeldPosts } from './held-posts.ts';
import type { ServiceFaults } from './service-faults.ts';

/** Where the faults of a service in another thread or process are read and set. */
export const FAULTS_PATH = '/practice/faults';

const POSTS_PATH = '/practice/posts';

/**
 * For a port of its own, as the service's may be closed:
 *
 *   GET /practice/faults            { plan, counts }
 *   PUT /practice/faults            a plan; answered as GET is, or with 422 and what is wrong with it
 *   GET /practice/posts             { content: number of posts, … }
 */
export function createFaultControl(options: {
  faults: ServiceFaults;
  posts: HeldPosts;
  token: string;
}): Hono {
  const { faults, posts } = options;
  const mayEnter = bearerCheck(options.token);
  const app = new Hono();
  app.use(async (context, next) => {
    if (mayEnter(context.req.header('authorization'))) return next();
    return context.json({ detail: 'Not authenticated' }, 401, { 'WWW-Authenticate': 'Bearer' });
  });
  const state = () => ({ plan: faults.plan, counts: faults.counts() });
  app.get(FAULTS_PATH, (context) => context.json(state()));
  app.put(FAULTS_PATH, async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const plan = faultPlan.safeParse(body);
    if (!plan.success) return context.json({ detail: plan.error.issues }, 422);
    await faults.set(plan.data);
    return context.json(state());
  });
  app.get(POSTS_PATH, async (context) => context.json(Object.fromEntries(await posts.byContent())));
  return app;
}
