import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import * as v from 'valibot'

const secretName = 'SigningKeys'

/**
 * The signing keys of a deployed stage, which SST keeps as a secret. The value goes from and to `sst` through pipes: it
 * is in no argument, where other processes could see it, and what `sst` prints of it is never passed on.
 */
export const stageSecret = (stage: string) => ({
  async read(): Promise<SigningKeys | undefined> {
    const { exitCode, output, errors } = await sst(['secret', 'list', '--stage', stage])
    if (exitCode !== 0 && /no secrets found/i.test(output + errors)) return undefined
    if (exitCode !== 0) throw new Error(failure(`The secrets of stage ${stage} cannot be read.`, errors))
    const value = secretIn(output, stage)
    if (value === undefined) return undefined
    const parsed = v.safeParse(SigningKeys, value)
    if (parsed.success) return parsed.output
    throw new Error(
      `The secret ${secretName} of stage ${stage} holds no signing keys of this version. Make new ones, which ends ` +
        `all tokens of the old ones, with: npm run keys -- init --stage ${stage} --replace`,
    )
  },

  async write(keys: SigningKeys): Promise<void> {
    // `sst` takes whole lines from a pipe, so without the line feed it would store nothing.
    const value = `${JSON.stringify(keys)}\n`
    const { exitCode, errors } = await sst(['secret', 'set', secretName, '--stage', stage], value)
    if (exitCode !== 0) throw new Error(failure(`The secret ${secretName} of stage ${stage} cannot be set.`, errors))
  },
})

/** `sst secret list` prints `# app/stage` and below it `name=value` lines; fallbacks of all stages stand apart. */
function secretIn(output: string, stage: string): string | undefined {
  let ofStage = false
  for (const line of output.split('\n')) {
    if (line.startsWith('#')) ofStage = line.trimEnd().endsWith(`/${stage}`)
    else if (ofStage && line.startsWith(`${secretName}=`)) return line.slice(secretName.length + 1)
  }
  return undefined
}

async function sst(args: readonly string[], input = '') {
  const child = spawn('sst', args, { stdio: 'pipe', env: { ...process.env, NO_COLOR: '1' } })
  // Whoever ends without reading is told by its exit code.
  child.stdin.on('error', () => {}).end(input)
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
