import { spawnSync } from 'node:child_process'

/** Flags of wrangler that record the commit of the checkout in the Worker's version; none without git or a commit. */
export function commitFlags(root: string): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const commit = git('rev-parse', '--short=12', 'HEAD')
  if (commit.status !== 0) return []
  const changed = git('status', '--porcelain', '--untracked-files=no').stdout.trim() !== ''
  const id = commit.stdout.trim()
  return ['--tag', id, '--message', changed ? `Commit ${id}, with uncommitted changes` : `Commit ${id}`]
}
