import { noun } from '../command.ts'
import { environmentHelp } from '../with-storage.ts'
import { create } from './create.ts'
import { list } from './list.ts'
import { revoke } from './revoke.ts'
import { init, publicPart, remove, rotate } from './signing-keys.ts'

export const keys = noun(
  'keys',
  'Makes, lists and revokes API keys, and makes and rotates signing keys.',
  [create, list, revoke, init, rotate, publicPart, remove],
  environmentHelp,
)
