import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import * as v from 'valibot'

const secretName = 'SigningKeys'

/**
 * The signing keys of a stage in SST's secret, where earlier versions kept them. The value comes through a pipe, and
 * nothing of it is ever printed.
 * @throws Error with a plain sentence where there are none
 */
export async function oldSecret(stage: string, env: NodeJS.ProcessEnv): Promise<SigningKeys> {
  const { exitCode, output, errors } = await sst(['secret', 'list', '--stage', stage], env)
  if (exitCode !== 0 && !/no secrets found/i.test(output + errors)) {
    throw new Error(failure(`The secrets of stage ${stage} cannot be read.`, errors))
  }
  const value = secretIn(output, stage)
  if (value === undefined) throw new Error(`Stage ${stage} has no secret ${secretName}, so there is nothing to move.`)
  const parsed = v.safeParse(SigningKeys, value)
  if (parsed.success) return parsed.output
  throw new Error(`The secret ${secretName} of stage ${stage} holds no signing keys of this version.`)
}

/** `sst secret list` prints `# app/stage` and below it `name=value` lines; fallbacks of all stages stand apart. */
function secretIn(output: string, stage: string): string | undefined {
  let ofStage = false
  for (const line of output.split('\n')) {
    if (line.startsWith('#')) ofStage = line.trimEnd().endsWith(`/${stage}`)
    else if (ofStage && line.startsWith(`${secretName}=`)) return line.slice(secretName.length + 1)
  }
  return undefined
}

async function sst(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn('sst', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, NO_COLOR: '1' } })
  const closed = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('There is no sst here. Run npm install, then npm run keys.') : error
  })
  const [[exitCode], output, errors] = await Promise.all([closed, text(child.stdout), text(child.stderr)])
  return { exitCode: exitCode as number | null, output, errors }
}

/** What `sst` says for itself, unless it says a private part with it. */
function failure(sentence: string, errors: string): string {
  const said = errors.trim()
  return said === '' || said.includes('"d"') ? sentence : `${sentence} sst says:\n${said}`
}
