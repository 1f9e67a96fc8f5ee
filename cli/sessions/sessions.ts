import { noun } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { environmentHelp } from '../with-storage.ts'
import { revoke } from './revoke.ts'
import { trace } from './trace.ts'

export const sessions = (terminal: Terminal) =>
  noun(
    'sessions',
    'Revokes and traces sessions in an incident.',
    [revoke(terminal), trace(terminal)],
    environmentHelp,
  )
