import type { SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { readSigningKeys, writeSigningKeys } from '../signing-keys.ts'
import { stageSecret } from './stage-secret.ts'

/** A place where signing keys are kept, and what a change of them there takes. */
export type KeptKeys = {
  /** As a sentence names it. */
  readonly name: string
  /** Until when at the latest a change is in force, in seconds. */
  readonly inForceWithinSeconds: number
  /** What is left to do after a change. */
  readonly nextStep: string
  read(): Promise<SigningKeys | undefined>
  write(keys: SigningKeys): Promise<void>
}

/** A deployment is to follow a rotation within this time, in seconds; until then the stage goes on with the old keys. */
const deploymentSeconds = 3600

/** @throws Error with a plain sentence unless exactly one place is given */
export function keptKeys({ stage, data }: { stage?: string | undefined; data?: string | undefined }): KeptKeys {
  if ((stage === undefined) === (data === undefined)) {
    throw new Error('Say whose signing keys: --stage NAME for a deployed stage, or --data DIR for a local server.')
  }
  return data === undefined ? ofStage(stage as string) : ofDirectory(data)
}

const ofDirectory = (directory: string): KeptKeys => ({
  name: directory,
  inForceWithinSeconds: 0,
  nextStep: 'A local server that runs on this directory uses them from its next request on.',
  read: async () => readSigningKeys(directory),
  write: (keys) => writeSigningKeys(directory, keys),
})

const ofStage = (stage: string): KeptKeys => ({
  name: `stage ${stage}`,
  inForceWithinSeconds: deploymentSeconds,
  nextStep: `They come into force with a deployment, which is due within the hour: npx sst deploy --stage ${stage}`,
  ...stageSecret(stage),
})
