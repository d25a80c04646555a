import type { ApiClient } from './client.ts';
import { mapDone, type Outcome } from './outcome.ts';
import { getFields, readRecord } from './records.ts';

/** A prompt as returned by the service. */
interface Prompt {
  /** The service has no list of prompts, so this response is the only source of the id. */
  id?: string | undefined;
  title?: string | undefined;
  promptText?: string | undefined;
  description?: string | undefined;
}

interface NewPrompt {
  projectId: string;
  title: string;
  promptText: string;
  description?: string | undefined;
}

function readPrompt(value: unknown): Prompt | undefined {
  const fields = getFields(value);
  if (!fields?.has('Id', 'Title', 'PromptText')) return undefined;
  return {
    id: fields.getId('Id'),
    title: fields.getText('Title'),
    promptText: fields.getText('PromptText'),
    description: fields.getText('Description'),
  };
}

/** Create Prompt. */
export async function createPrompt(
  client: ApiClient,
  prompt: NewPrompt,
): Promise<Outcome<{ prompt: Prompt | undefined; isReadable: boolean }>> {
  const { projectId, title, promptText, description } = prompt;
  const body = {
    Title: title,
    PromptText: promptText,
    ...(description !== undefined && { Description: description }),
  };
  const outcome = await client.call('createPrompt', (http, requestOptions) =>
    http.POST('/api/v1/projects/{project_id}/prompts', {
      ...requestOptions,
      params: { path: { project_id: projectId } },
      body,
    }),
  );
  return mapDone(outcome, (data) => {
    const { record, isReadable } = readRecord(data, 'Prompt', readPrompt);
    return { prompt: record, isReadable };
  });
}
