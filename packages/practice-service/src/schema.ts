import type { Generated } from 'kysely';

/** The emulator's tables. Moments are UTC instants. */
export interface ServiceSchema {
  projects: { id: Generated<number>; name: string; description: string; created_at: Date };
  posts: PostsTable;
  templates: { id: Generated<number>; project_id: number; name: string; content: string; created_at: Date };
  prompts: {
    id: Generated<number>;
    project_id: number;
    title: string;
    prompt_text: string;
    description: string | null;
    created_at: Date;
  };
  sources: {
    id: Generated<number>;
    project_id: number;
    description: string;
    source: string;
    created_at: Date;
    updated_at: Date;
  };
  users: UsersTable;
  logs: { id: Generated<number>; project_id: number; event: string; message: string; created_at: Date };
  /** At most one per project. */
  webhooks: { project_id: number; url: string };
}

interface PostsTable {
  /** Ascending in order of creation, which is the list's order. */
  id: Generated<number>;
  project_id: number;
  content: string | null;
  media: string | null;
  template_id: number | null;
  prompt_id: number | null;
  schedule_at: Date | null;
  timezone: string | null;
  platforms: readonly string[];
  status: string;
  created_at: Date;
}

interface UsersTable {
  id: Generated<number>;
  project_id: number;
  first_name: string;
  last_name: string;
  email: string;
  /** The e-mail in lower case, unique in its project. */
  email_key: string;
  phone_number: string | null;
  role: string;
  status: string;
  created_at: Date;
  updated_at: Date;
}
