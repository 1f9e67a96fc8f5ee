export type Caller = {
  readonly account_id: string
  readonly user_id: string
  readonly is_admin: boolean
  readonly embedding_enabled: boolean
  readonly has_deployment: boolean
  readonly has_tenant: boolean
}

export type Listed = {
  readonly id: string
  readonly folder_id: string | null
  readonly is_direct: boolean
  readonly document: string
  readonly path: readonly { readonly id: number; readonly name: string }[]
}

export type Redeemed = { readonly context: Readonly<Record<string, unknown>> }

/** The queries of the server over PostgreSQL. Each is prepared once for each connection. */
export const sql = {
  /** $1: hash of the API key, $2: deployment, $3: embed tenant. No row: nobody's key. */
  authorize: `
    SELECT k.account_id, k.user_id, u.is_admin, a.embedding_enabled,
      EXISTS (SELECT FROM deployments d WHERE d.id = $2 AND d.account_id = k.account_id) AS has_deployment,
      EXISTS (SELECT FROM embed_tenants t WHERE t.account_id = k.account_id AND t.name = $3) AS has_tenant
    FROM api_keys k
    JOIN users u ON u.account_id = k.account_id AND u.id = k.user_id
    JOIN accounts a ON a.id = k.account_id
    WHERE k.hash = $1 AND (k.expires_at IS NULL OR k.expires_at > now())`,

  /** $1: deployment, $2: embed tenant, $3: how many. In the order of the service: by folder, then the direct shares. */
  listWorkbooks: `
    WITH RECURSIVE granted AS (
      SELECT resource, resource_id FROM shares WHERE deployment_id = $1 AND (tenant = $2 OR tenant IS NULL)
    ), shared_folders AS (
      SELECT f.id FROM folders f
      WHERE f.deployment_id = $1 AND f.id IN (SELECT resource_id FROM granted WHERE resource = 'folder')
      UNION
      SELECT f.id FROM folders f JOIN shared_folders s ON f.deployment_id = $1 AND f.parent_id = s.id
    ), paths AS (
      SELECT id, jsonb_build_array(jsonb_build_object('id', id, 'name', name)) AS path
      FROM folders WHERE deployment_id = $1 AND parent_id IS NULL
      UNION ALL
      SELECT f.id, p.path || jsonb_build_object('id', f.id, 'name', f.name)
      FROM folders f JOIN paths p ON f.deployment_id = $1 AND f.parent_id = p.id
    ), listed AS (
      (SELECT id, folder_id, false AS is_direct FROM workbooks
        WHERE deployment_id = $1 AND folder_id IN (SELECT id FROM shared_folders) ORDER BY folder_id, id LIMIT $3)
      UNION ALL
      (SELECT id, folder_id, true FROM workbooks
        WHERE deployment_id = $1 AND id IN (SELECT resource_id FROM granted WHERE resource = 'workbook')
          AND (folder_id IS NULL OR folder_id NOT IN (SELECT id FROM shared_folders)) ORDER BY id LIMIT $3)
    )
    SELECT l.id, l.folder_id, l.is_direct, w.document, coalesce(p.path, '[]') AS path
    FROM listed l
    JOIN workbooks w ON w.deployment_id = $1 AND w.id = l.id
    LEFT JOIN paths p ON p.id = l.folder_id
    ORDER BY l.is_direct, CASE WHEN l.is_direct THEN NULL ELSE l.folder_id END, l.id
    LIMIT $3`,

  /** $1: hash of the session id, $2: context. */
  insertSession: `INSERT INTO sessions VALUES ($1, $2, now() + interval '5 minutes')`,

  /** $1: hash of the session id, $2: jti. Of simultaneous ones only one finds the session. */
  redeemSession: `
    WITH taken AS (DELETE FROM sessions WHERE hash = $1 AND expires_at > now() RETURNING context),
      ended AS (INSERT INTO session_ends SELECT $2, 'redeemed', now() + interval '1 day' FROM taken)
    SELECT context FROM taken`,
}
