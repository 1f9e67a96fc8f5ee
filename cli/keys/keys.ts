import { noun } from '../command.ts'
import { environmentHelp } from '../with-storage.ts'
import { create } from './create.ts'
import { init } from './init.ts'
import { list } from './list.ts'
import { publicPart } from './public.ts'
import { remove } from './remove.ts'
import { revoke } from './revoke.ts'
import { rotate } from './rotate.ts'

export const keys = noun(
  'keys',
  'Makes, lists and revokes API keys, and makes and rotates signing keys.',
  [create, list, revoke, init, rotate, publicPart, remove],
  environmentHelp,
)
