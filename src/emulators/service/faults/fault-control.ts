import { Hono } from 'hono';
import { createBearerCheck } from '../http/create-bearer-check.ts';
import { faultPlan } from './fault-plan.ts';
import type { ServiceFaults } from './service-faults.ts';
import type { StoredPosts } from './stored-posts.ts';

/** The path at which another process reads and sets the faults. */
export const FAULTS_PATH = '/practice/faults';

const POSTS_PATH = '/practice/posts';

/**
 * HTTP access to the faults. It needs a separate port, because a fault may close the service's:
 *
 *   GET /practice/faults            { plan, counts }
 *   PUT /practice/faults            a plan; answered like GET, or with 422 and the plan's problems
 *   GET /practice/posts             { content: number of posts, … }
 */
export function createFaultControl(options: {
  faults: ServiceFaults;
  posts: StoredPosts;
  token: string;
}): Hono {
  const { faults, posts } = options;
  const mayEnter = createBearerCheck(options.token);
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
  app.get(POSTS_PATH, async (context) => context.json(Object.fromEntries(await posts.countAllByContent())));
  return app;
}
