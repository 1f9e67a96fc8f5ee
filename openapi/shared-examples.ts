/** Examples that several operations show. */

export const sessionId = 'q2xWUL8Y3oAk0Wc7J5m1vRZbS4nTtE6dHfGiKpNyXuA'

/** The claims of an embed token. */
export const claims = {
  deploymentId: 1001,
  embedTenantName: 'alder-oak',
  externalId: 'user-1',
  accountId: 'harborline',
  mintedBy: { userId: 1, key: '3f9a2c41b7de', at: 1_780_315_200 },
  securityContext: { storeId: 42, platformCloud: { groups: ['finance'] } },
  iss: 'https://api.example.com',
  aud: 'https://api.example.com',
  sub: 'harborline#external#alder-oak#user-1',
  iat: 1_780_315_200,
  nbf: 1_780_315_200,
  exp: 1_780_401_600,
  jti: 'Zk3v9QbW1xLr8sTnYc0aEg',
}
