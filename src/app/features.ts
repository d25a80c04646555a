import { admin } from '../features/admin/admin.ts';
import { audit } from '../features/audit/audit.ts';
import { connect } from '../features/connect/connect.ts';
import { digests as digestsFeature } from '../features/digests/digests.ts';
import { files } from '../features/files/files.ts';
import { heldPosts as heldPostsFeature } from '../features/held-posts/held-posts.ts';
import { help } from '../features/help/help.ts';
import { home } from '../features/home/home.ts';
import { importPosts } from '../features/import-posts/import-posts.ts';
import { listPosts } from '../features/list-posts/list-posts.ts';
import { logs } from '../features/logs/logs.ts';
import { notifications } from '../features/notifications/notifications.ts';
import { outbox } from '../features/outbox/outbox.ts';
import { plan } from '../features/plan/plan.ts';
import { policy } from '../features/policy/policy.ts';
import { projects } from '../features/projects/projects.ts';
import { prompts } from '../features/prompts/prompts.ts';
import { roles } from '../features/roles/roles.ts';
import { schedulePost } from '../features/schedule-post/schedule-post.ts';
import { series } from '../features/series/series.ts';
import { sources } from '../features/sources/sources.ts';
import { status } from '../features/status/status.ts';
import { stop } from '../features/stop/stop.ts';
import { templates } from '../features/templates/templates.ts';
import { upNext } from '../features/up-next/up-next.ts';
import { inviteUser } from '../features/users/invite-user.ts';
import { updateUser } from '../features/users/update-user.ts';
import { webhook } from '../features/webhook/webhook.ts';
import { welcome } from '../features/welcome/welcome.ts';
import { zone } from '../features/zone/zone.ts';
import type { Feature } from '../handlers/feature.ts';

/** All features, in the order in which help lists them. */
export const features: readonly Feature[] = [
  upNext,
  schedulePost,
  importPosts,
  heldPostsFeature,
  series,
  listPosts,
  plan,
  prompts,
  templates,
  sources,
  logs,
  outbox,
  stop,
  projects,
  policy,
  zone,
  notifications,
  digestsFeature,
  inviteUser,
  updateUser,
  webhook,
  files,
  home,
  connect,
  roles,
  audit,
  admin,
  welcome,
  status,
  help,
];
