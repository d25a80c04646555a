import type { Pool } from 'pg';
import { request } from 'undici';

/** Creates the least that a post takes: an insert, a call to the service, and an update. */
export async function createBarePosts(pool: Pool, serviceUrl: string) {
  await pool.query('create table if not exists post (id bigserial primary key, content text, state text)');
  return async (content: string): Promise<void> => {
    const insert = "insert into post (content, state) values ($1, 'sending') returning id";
    const { rows } = await pool.query(insert, [content]);
    const response = await request(`${serviceUrl}/api/v1/projects/p1/posts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Content: content }),
    });
    await response.body.json();
    await pool.query("update post set state = 'sent' where id = $1", [rows[0].id]);
  };
}
