import type { Settings } from './settings.ts'

/** How long logs are kept, in days. */
export const logRetentionDays = ({ production, relied }: Settings): number => (production ? 90 : relied ? 30 : 7)
