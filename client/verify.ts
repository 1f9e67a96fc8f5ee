export {
  createVerifier,
  type EmbedTokenClaims,
  TokenRefused,
  type VerifierOptions,
} from './verifier.ts'
