import { firstSigningKeys, rotated } from '@embed-access/core/sessions/rotation.ts'
import { keyInState, publicKeys, type SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { type KeptKeys, keptKeys } from './kept-keys.ts'
import { requirePublished } from './published.ts'

export type SigningOptions = {
  readonly stage?: string | undefined
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly replace?: boolean | undefined
}

type Print = (line: string) => void

/** Makes the first keys of a place. */
export async function init({ replace = false, ...options }: SigningOptions, say: Print): Promise<void> {
  const kept = keptKeys(options)
  if (!replace && (await kept.read())) {
    throw new Error(
      `There are signing keys of ${kept.name} already. Rotate them with: npm run keys -- rotate ${placeIn(options)}\n` +
        'Or, where their private parts have got out, end all their tokens at once: the same with init and --replace.',
    )
  }
  const keys = await firstSigningKeys(Date.now())
  await kept.write(keys)
  say(`Signing keys of ${kept.name} made. ${sentenceAbout(keys)}\n${kept.nextStep}`)
}

/** Takes the keys of a place one step on. */
export async function rotate({ url, ...options }: SigningOptions, say: Print): Promise<void> {
  const kept = keptKeys(options)
  const keys = await existing(kept, options)
  if (url !== undefined) await requirePublished(keys, url)
  const next = await rotated(keys, {
    now: Date.now(),
    lifetimeSeconds: defaultLimits.lifetimeSeconds,
    inForceWithinSeconds: kept.inForceWithinSeconds,
  })
  await kept.write(next)
  say(`Signing keys of ${kept.name} rotated. ${sentenceAbout(next)}\n${kept.nextStep}`)
}

/** The public parts of the keys of a place, as VERIFICATION_KEYS takes them. */
export async function publicPart(options: SigningOptions): Promise<string> {
  const { keys } = await existing(keptKeys(options), options)
  return JSON.stringify(publicKeys(keys))
}

async function existing(kept: KeptKeys, options: SigningOptions): Promise<SigningKeys> {
  const keys = await kept.read()
  if (keys) return keys
  throw new Error(
    `There are no signing keys of ${kept.name} yet. Make them with: npm run keys -- init ${placeIn(options)}`,
  )
}

const placeIn = ({ stage, data }: SigningOptions): string =>
  stage === undefined ? `--data ${data}` : `--stage ${stage}`

function sentenceAbout(keys: SigningKeys): string {
  const retired = keys.keys.filter(({ state }) => state === 'retired').length
  return `${keyInState(keys, 'active').kid} signs, ${keyInState(keys, 'next').kid} is next, ${retired} retired.`
}
