import { verificationKeysFrom } from '@embed-access/core/sessions/signing-keys.ts'

/** Who signs tokens; all others that need keys get the public parts. */
const signers = ['exchange-session']
const verifiers = ['authorizer', 'get-key-set']

/** Which key variables a function gets, from the secret that holds the private key set. */
export function keyVariables(): (name: string) => Record<string, $util.Output<string>> {
  const signingKeys = new sst.Secret('SigningKeys').value
  // What is public need not be treated as a secret: an operator may look at it.
  const verificationKeys = $util.unsecret(signingKeys.apply(verificationKeysFrom))
  return (name) => ({
    ...(signers.includes(name) && { SIGNING_KEYS: signingKeys }),
    ...(verifiers.includes(name) && { VERIFICATION_KEYS: verificationKeys }),
  })
}
