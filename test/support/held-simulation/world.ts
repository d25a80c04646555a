import type { State } from '../../../src/held-posts/held-post.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import type { Random } from '../random.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import type { Surroundings } from './upnext.ts';

export const WORKSPACE = 'T1';
/** The leads of the projects, in minutes. */
export const LEADS = [15, 60, 240, 24 * 60];
const PROJECT_COUNT = 8;
/** The Slack ids of the people. The reviewers write no posts. */
export const AUTHORS = ['U1', 'U2', 'U3', 'U4', 'U5', 'U6', 'U7'];
export const REVIEWERS = ['U8', 'U9'];
/** Posts of these projects have to be approved. */
const REVIEWED_PROJECTS = ['p5', 'p6'];

/** A version that somebody was told is saved. */
export interface Version {
  text: string;
  publishAt: number;
  editor: string;
}

/** What people were told about one post. */
export interface Ledger {
  author: string;
  versions: Map<number, Version>;
  /** The people who approved each text. */
  approvals: Map<string, Set<string>>;
  /** The post in the answer to a person about its latest change. */
  answer: { state: State; changedAt: number; fence: number };
  /** The number of people who are restoring the post now, and may not have their answer yet. */
  restoring: number;
}

interface Project {
  policy: ProjectPolicy;
  /** Set once somebody was told that the project is stopped: the posts that can't be stopped. */
  stop: { unstoppable: ReadonlySet<string> } | undefined;
}

/** The permissions and policies that were the same during a whole round. */
export interface Round {
  /** The time to which the clock was set. */
  time: number;
  permissions: ReadonlyMap<string, 'no' | 'unknown'>;
  /** Projects in which each reviewer has to approve. */
  needingAll: Set<string>;
}

/** What all instances and people of a simulation share. */
export interface World {
  random: Random;
  clock: SimulatedClock;
  surroundings: Surroundings;
  /** The people who don't have their role at present. */
  permissions: Map<string, 'no' | 'unknown'>;
  projects: ReadonlyMap<string, Project>;
  /** By the post's id. */
  ledgers: Map<string, Ledger>;
  /** The ids of posts by the texts that people wrote, including texts that weren't saved. */
  postIds: Map<string, string>;
  /** In order. */
  rounds: Round[];
  /** Deaths of instances so far, and their probabilities. */
  deaths: { count: number; atCrashPoint: number; inRun: number };
}

export function createProjects({ isReviewed }: { isReviewed: boolean }): Map<string, Project> {
  return new Map(
    Array.from({ length: PROJECT_COUNT }, (_, index) => {
      const id = `p${index}`;
      const policy: ProjectPolicy = { ...DEFAULT_POLICY, leadMinutes: LEADS[index % LEADS.length] };
      const review = { review: 'required', reviewSteps: [createReviewStep(false)] } as const;
      const hasReview = isReviewed && REVIEWED_PROJECTS.includes(id);
      return [id, { policy: { ...policy, ...(hasReview && review) }, stop: undefined }];
    }),
  );
}

/** The first reviewer has to approve, or both. */
export function createReviewStep(needsAll: boolean) {
  const people = needsAll ? REVIEWERS : REVIEWERS.slice(0, 1);
  return {
    approvers: people.map((id) => ({ kind: 'person' as const, id })),
    needs: needsAll ? ('all' as const) : ('any' as const),
  };
}
