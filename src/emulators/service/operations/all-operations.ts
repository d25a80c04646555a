import { createPost } from './create-post.ts';
import { getUpnextPost } from './dashboard.ts';
import { deleteFile } from './files.ts';
import { listPosts } from './list-posts.ts';
import { listLogs } from './logs.ts';
import type { Operation } from './operation.ts';
import { listProjects } from './projects.ts';
import { createPrompt } from './prompts.ts';
import { listSources, updateSource } from './sources.ts';
import { getTemplate, listTemplates } from './templates.ts';
import { addNonPlatformUserToProject, updateProjectUser } from './users.ts';
import { deleteWebhook } from './webhook.ts';

/** The implementation of each operationId of the document. */
export const allOperations = {
  listProjects,
  listPosts,
  createPost,
  addNonPlatformUserToProject,
  updateProjectUser,
  createPrompt,
  listTemplates,
  getTemplate,
  listSources,
  updateSource,
  listLogs,
  getUpnextPost,
  deleteWebhook,
  deleteFile,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationId = keyof typeof allOperations;

export function isOperationId(id: unknown): id is OperationId {
  return typeof id === 'string' && Object.hasOwn(allOperations, id);
}
