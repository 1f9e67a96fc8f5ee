import type { Settings } from './settings.ts'

/** How many days logs are kept. */
export const logRetentionDays = ({ production, relied }: Settings): number => (production ? 90 : relied ? 30 : 7)
