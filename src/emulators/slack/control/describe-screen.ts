import type { z } from 'zod';
import type { Form } from '../acting/form.ts';
import { getLabel, isButton } from '../acting/place.ts';
import type { Screen } from '../acting/screen.ts';
import { listElements } from '../blocks/list-elements.ts';
import { listMessageBlocks } from '../blocks/list-message-blocks.ts';
import { getText } from '../json.ts';
import { findPerson } from '../state/directory.ts';
import type { messageShape, modalShape, screenShape } from './schemas.ts';

function describeModal(modal: Form): z.infer<typeof modalShape> {
  const { close, submit } = modal.buttons();
  const placed = listElements(modal.place.blocks());
  const errors = modal.errors();
  const fields = placed
    .filter((each) => !isButton(each))
    .map((each) => {
      const label = getLabel(each);
      const error = errors[label];
      return { label, type: each.type, value: modal.value(label), ...(error !== undefined && { error }) };
    });
  const buttons = [...placed.filter(isButton).map(getLabel), close, submit].filter(
    (one) => one !== undefined,
  );
  return { title: modal.title(), text: modal.text(), fields, buttons };
}

function describeMessages(screen: Screen): z.infer<typeof messageShape>[] {
  const { actor } = screen;
  return screen.messages().map((message) => {
    const buttons = listElements(listMessageBlocks(message)).filter(isButton);
    return {
      ts: message.ts,
      user: message.username ?? findPerson(actor.site, message.user)?.realName ?? message.user,
      text: actor.messageText(message),
      buttons: buttons.map(({ element }) => getText(element, 'text') ?? ''),
      ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
      ephemeral: message.ephemeralTo !== undefined,
    };
  });
}

/** Describes everything that a person sees. */
export function describeScreen(screen: Screen): z.infer<typeof screenShape> {
  const modal = screen.actor.topModal();
  return {
    person: screen.actor.person.realName,
    place: screen.placeName(),
    text: screen.text(),
    messages: describeMessages(screen),
    notices: [...screen.actor.notices()],
    modal: modal ? describeModal(modal) : null,
  };
}
