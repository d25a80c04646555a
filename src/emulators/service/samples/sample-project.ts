/** The data of a sample project. */
export interface SampleProject {
  name: string;
  description: string;
  /** The zone of the days and times below. */
  zone: string;
  templates: readonly { name: string; content: string }[];
  prompts: readonly { title: string; promptText: string; description: string }[];
  sources: readonly { description: string; source: string }[];
  users: readonly {
    firstName: string;
    lastName: string;
    email: string;
    phoneNumber?: string;
    role: string;
  }[];
  /** In the order of their creation. */
  posts: readonly SamplePost[];
  webhook: string;
}

export interface SamplePost {
  content: string;
  media?: string;
  /** The index of the project's template, from 0. */
  template?: number;
  platforms: readonly string[];
  /** Days from today, and the local time. A past post is PUBLISHED, a future one SCHEDULED, one without a moment a DRAFT. */
  at?: readonly [days: number, time: string];
}
