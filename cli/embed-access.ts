#!/usr/bin/env node
import { createRequire } from 'node:module'
import { Command } from '@commander-js/extra-typings'
import { catalog } from './catalog/catalog.ts'
import { runForProcess } from './command.ts'
import { completion } from './completion.ts'
import { keys } from './keys/keys.ts'
import { sessions } from './sessions/sessions.ts'
import { smoke } from './smoke.ts'
import { start } from './start.ts'
import type { Terminal } from './terminal.ts'
import { usage } from './usage.ts'

export function embedAccess(terminal: Terminal): Command {
  const all = new Command('embed-access')
    .description('Runs, feeds and watches the service.')
    // There is no -V, because one jti in 4096 begins with it.
    .version(createRequire(import.meta.url)('../package.json').version, '--version')
  for (const make of [start, catalog, keys, sessions, usage, smoke]) {
    all.addCommand(make(terminal) as unknown as Command)
  }
  return all.addCommand(completion(terminal, all) as unknown as Command)
}

if (import.meta.main) await runForProcess(embedAccess)
