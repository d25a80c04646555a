import { listWords } from '../../src/words.ts';

interface UnprovokedErrors {
  /** Why the emulator never answers with these errors. */
  reason: string;
  /** `error`, or `method error` if other methods answer with it. */
  errors: readonly string[];
}

const listFor = (method: string, errors: string): string[] =>
  listWords(errors).map((error) => `${method} ${error}`);

/** Errors in Slack's reference that the emulator never answers with. A test compares this list with the reference. */
export const UNPROVOKED_ERRORS: readonly UnprovokedErrors[] = [
  {
    reason: 'Failures inside Slack. Faults can answer with any of them:',
    errors: listWords(
      'accesslimited fatal_error fetch_members_failed file_update_failed internal_error ' +
        'list_record_comment_fetch_failed messaging_processing_failed request_timeout service_unavailable ' +
        ' unable_to_fetch_custom_emojis unable_to_share_files update_failed',
    ),
  },
  {
    reason: 'Settings of a workspace or organisation, and paid plans:',
    errors: [
      ...listWords(
        'app_access_restricted blocked_file_type canvas_disabled_file_team canvas_disabled_user_team ' +
          'canvas_globally_disabled cannot_create_channel cant_archive_required edit_window_closed ' +
          'ekm_access_denied file_deleting_disabled file_type_not_allowed file_uploads_disabled ' +
          'file_uploads_except_images_disabled forbidden_team is_bot message_limit_exceeded org_login_required ' +
          'plan_upgrade_required storage_limit_reached team_added_to_org two_factor_setup_required',
      ),
      ...listWords('archive create kick').map((name) => `conversations.${name} restricted_action`),
      ...listWords('add list remove').map((name) => `pins.${name} restricted_action`),
    ],
  },
  {
    reason: 'Policies for Slack Connect channels, and their migration:',
    errors: [
      ...listWords(
        'external_channel_migrating ' +
          'fail_to_get_teams_for_restricted_user invitee_cant_see_channel no_external_invite_permission ' +
          'org_user_not_in_team slack_connect_blocked_file_type slack_connect_canvas_sharing_blocked ' +
          'slack_connect_clip_sharing_blocked slack_connect_file_link_sharing_blocked ' +
          'slack_connect_file_upload_sharing_blocked slack_connect_lists_sharing_blocked',
      ),
      ...listFor('files.info', 'access_denied'),
      ...listFor('chat.update', 'posting_to_channel_denied'),
    ],
  },
  {
    reason: 'Arguments, items and tokens of Slack’s own clients and of legacy apps:',
    errors: [
      ...listWords(
        'as_user_not_supported block_mismatch bots_not_found client_id_token_mismatch delete_not_allowed ' +
          'deprecated_endpoint draft_already_deleted draft_already_sent draft_has_conflict draft_not_found ' +
          'duplicate_channel_not_found duplicate_message_not_found enterprise_not_found ' +
          'file_not_shared    ' +
          ' metadata_must_be_sent_from_app method_deprecated missing_profile_id missing_user ' +
          'not_bearer_token not_implemented not_reactable oauth_authorization_url_mismatch org_not_found ' +
          ' preview_feature_not_available send_on_behalf_not_allowed ' +
          'template_not_visible unknown_subtype user_email_unverified',
      ),
      ...listFor('pins.add', 'file_not_found'),
      ...listFor('pins.remove', 'file_not_found file_comment_not_found'),
      ...listFor('team.info', 'user_not_found'),
    ],
  },
  {
    reason: 'Errors of a method that none of its documented arguments can cause:',
    errors: [
      ...listWords('invalid_team invalid_token limit_required no_channel not_enough_users '),
      ...listFor('bots.info', 'missing_argument team_not_found'),
      ...listFor('chat.appendStream', 'invalid_metadata_format invalid_metadata_schema metadata_too_large'),
      ...listFor('chat.appendStream', 'channel_type_not_supported too_many_attachments'),
      ...listFor('chat.startStream', 'invalid_metadata_format invalid_metadata_schema metadata_too_large'),
      ...listFor('chat.startStream', 'invalid_blocks_format'),
      ...listFor('chat.stopStream', 'channel_type_not_supported too_many_attachments'),
      ...listFor('functions.completeError', 'unknown_method'),
      ...listFor('functions.completeSuccess', 'unknown_method'),
      ...listFor('conversations.create', 'missing_argument'),
      ...listFor('emoji.list', 'invalid_arguments'),
      ...listFor('usergroups.list', 'invalid_cursor users_not_found'),
      ...listFor('usergroups.users.list', 'invalid_cursor'),
      ...listFor('users.info', 'too_many_users'),
      ...listWords('list members replies').map(
        (name) => `conversations.${name} method_not_supported_for_channel_type`,
      ),
      ...listFor('users.conversations', 'method_not_supported_for_channel_type'),
    ],
  },
  {
    reason: 'Cases in which Slack answers with another documented error:',
    errors: [
      ...listWords('bad_token missing_args no_permission no_scopes not_pinned not_visible rate_limited'),
      ...listFor('assistant.threads.setSuggestedPrompts', 'message_not_found'),
      ...listFor('files.completeUploadExternal', 'invalid_channel'),
      ...listWords('create rename').map((name) => `conversations.${name} invalid_name`),
    ],
  },
  {
    reason: 'Errors whose cause Slack doesn’t document:',
    errors: [
      ...listWords(
        'access_denied attachment_payload_limit_exceeded cannot_auth_user cannot_prompt cannot_reply_to_message ' +
          'enterprise_is_restricted file_is_deleted file_share_limit_reached max_file_sharing_exceeded ' +
          'missing_file_data no_access not_supported reserved_username user_is_restricted user_not_visible',
      ),
      ...listFor('chat.postEphemeral', 'msg_too_long'),
      ...listFor('chat.scheduleMessage', 'msg_too_long'),
      ...listFor('chat.postMessage', 'team_not_found'),
      ...listFor('chat.appendStream', 'team_not_found'),
      ...listFor('chat.startStream', 'no_text team_not_found'),
      ...listFor('chat.stopStream', 'no_text team_not_found'),
      ...listFor('chat.update', 'team_not_found'),
      ...listFor('conversations.invite', 'app_cannot_join_channel'),
    ],
  },
  {
    reason: 'Missing parts of Slack, such as locked threads, read-only and Salesforce channels, and PKCE:',
    errors: listWords(
      'cannot_find_service cannot_install_an_org_installed_app channel_is_limited_access invalid_code_verifier ' +
        'pkce_not_allowed restricted_action_non_threadable_channel restricted_action_read_only_channel ' +
        'restricted_action_thread_locked restricted_action_thread_only_channel stopped_by_user ' +
        'not_subscribed_to_message_stream_stopped thread_locked too_many_contact_cards too_many_members',
    ),
  },
];
