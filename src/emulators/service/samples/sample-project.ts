/** What a sample project is made of. */
export interface SampleProject {
  name: string;
  description: string;
  /** Where the days and hours below are meant. */
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
  /** The number of the project's template, from 0. */
  template?: number;
  platforms: readonly string[];
  /** Days from today and the time of day: a past one is PUBLISHED, one to come SCHEDULED, none a DRAFT. */
  at?: readonly [days: number, time: string];
}
