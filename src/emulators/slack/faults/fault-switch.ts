export interface FaultChoice {
  id: string;
  label: string;
  /** What the page tells everybody while it is on. */
  says: string;
}

/** Something that can be made to fail, for practice. */
export interface FaultSwitch {
  id: string;
  /** What it is about: `Slack`. */
  label: string;
  choices: FaultChoice[];
  /** A choice's id; absent while it works as usual. */
  chosen?: string;
}
