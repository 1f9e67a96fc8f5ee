import { noun } from '../command.ts'
import { environmentHelp } from '../with-storage.ts'
import { revoke } from './revoke.ts'
import { trace } from './trace.ts'

export const sessions = noun(
  'sessions',
  'Revokes and traces sessions in an incident.',
  [revoke, trace],
  environmentHelp,
)
