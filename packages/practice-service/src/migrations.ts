import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The emulator's migrations. The caller runs them before it starts the service. */
export const migrations: Record<string, Migration> = {
  '002-tables': {
    up: async (db: Kysely<unknown>) => {
      for (const statement of TABLES) await sql.raw(statement).execute(db);
    },
  },
};

const ID = 'id bigint generated always as identity primary key';
const PROJECT = 'project_id bigint not null references projects';

const TABLES = [
  `create table projects (${ID}, name text not null unique, description text not null, created_at timestamptz not null)`,
  `create table templates (${ID}, ${PROJECT}, name text not null, content text not null, created_at timestamptz not null)`,
  `create table prompts (${ID}, ${PROJECT}, title text not null, prompt_text text not null, description text,
     created_at timestamptz not null)`,
  `create table sources (${ID}, ${PROJECT}, description text not null, source text not null,
     created_at timestamptz not null, updated_at timestamptz not null)`,
  `create table users (${ID}, ${PROJECT}, first_name text not null, last_name text not null, email text not null,
     email_key text not null, phone_number text, role text not null, status text not null,
     created_at timestamptz not null, updated_at timestamptz not null, unique (project_id, email_key))`,
  `create table logs (${ID}, ${PROJECT}, event text not null, message text not null, created_at timestamptz not null)`,
  `create table webhooks (project_id bigint primary key references projects, url text not null)`,
  `create table posts (${ID}, ${PROJECT}, content text, media text, template_id bigint references templates,
     prompt_id bigint references prompts, schedule_at timestamptz, timezone text, platforms text[] not null,
     status text not null, created_at timestamptz not null,
     check (status in ('DRAFT', 'SCHEDULED', 'PUBLISHED', 'FAILED')),
     check (status <> 'SCHEDULED' or schedule_at is not null))`,
  'create index templates_of_project on templates (project_id, id)',
  'create index sources_of_project on sources (project_id, id)',
  'create index logs_of_project on logs (project_id, id)',
  'create index posts_of_project on posts (project_id, id)',
  // For the next post of a project, and the next due post of all projects.
  `create index posts_up_next on posts (project_id, schedule_at, id) where status = 'SCHEDULED'`,
  `create index posts_due on posts (schedule_at) where status = 'SCHEDULED'`,
];
