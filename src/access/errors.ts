import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  key_not_found: {
    status: 404,
    cause: 'No key has this id.',
    remedy: 'List the keys with `GET /keys`.',
  },
  name_taken: {
    status: 409,
    cause: 'Another key has this name.',
    remedy: 'Choose another name, or delete the other key with `DELETE /key`.',
  },
  too_many_keys: {
    status: 403,
    cause: 'The key of the caller, or the one that created it, has created 10 000 keys, itself and through others.',
    remedy: 'Delete keys that nobody uses, or create the key with one of `AUTH_TOKENS`.',
  },
  too_many_secrets: {
    status: 409,
    cause: 'Five previous secrets of the key are valid, since their overlaps have not ended.',
    remedy: 'Wait until an overlap ends, or end all of them with `end_overlaps`.',
  },
  wider_than_caller: {
    status: 403,
    cause: 'The caller lacks a scope or bound that it asked for, so it may not pass it on.',
    remedy: 'Ask only for scopes and bounds of the caller, or use another key.',
  },
})

export type ErrorCode = keyof typeof errors
