import { verificationKeysFrom } from '@embed-access/core/sessions/signing-keys.ts'
import type { FunctionRecord } from '../functions/operations/operation.ts'

/** The key variables of a function, from the secret that holds the private key set. */
export function keyVariables(): (keys: FunctionRecord['keys']) => Record<string, $util.Output<string>> {
  const signingKeys = new sst.Secret('SigningKeys').value
  // Public keys are no secret. Operators may look at them.
  const verificationKeys = $util.unsecret(signingKeys.apply(verificationKeysFrom))
  return (keys) => ({
    ...(keys === 'signing' && { SIGNING_KEYS: signingKeys }),
    ...(keys === 'verification' && { VERIFICATION_KEYS: verificationKeys }),
  })
}
