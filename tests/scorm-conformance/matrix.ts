import type { Finding } from './check-package.ts';

export function printMatrix(findings: readonly Finding[]): void {
  const tools = [...new Set(findings.map(({ entry }) => entry.tool))];
  console.log('\n| Tool | Packages | initialised | resumed | ended | score | answers |');
  for (const tool of tools) {
    const own = findings.filter(({ entry }) => entry.tool === tool);
    const count = (isSo: (finding: Finding) => boolean) => own.filter(isSo).length;
    const resumable = own.filter(({ isResumed }) => isResumed !== null);
    console.log(
      `| ${tool} | ${own.length} | ${count(({ isInitialized }) => isInitialized)} | ${resumable.filter(({ isResumed }) => isResumed).length} of ${resumable.length} | ${count(({ outcome }) => outcome !== 'open')} | ${count(({ score }) => score !== null)} | ${count(({ interactions }) => interactions > 0)} |`,
    );
  }
}
