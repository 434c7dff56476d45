import { ApiError } from '../../src/contract/errors.ts';
import { toSettings } from '../../src/resources/policies/signatures/signature-rules.ts';

const every = (intervalLength: number, intervalUnit: 'months' | 'years' | null = 'months') => ({
  intervalLength,
  intervalUnit,
});

describe('toSettings', () => {
  const left = { startDate: null, intervalLength: null, intervalUnit: null, useDefault: false, setDefault: false };
  test.each([
    [{ type: 'none' }, {}],
    [{ type: 'fixed', startDate: '2026-09-01' }, { startDate: '2026-09-01' }],
    [
      { type: 'newUsers', intervalLength: 3 },
      { intervalLength: 3, intervalUnit: 'months' },
    ],
    [{ type: 'lastSignature', ...every(2, 'years') }, every(2, 'years')],
    [{ type: 'none', useDefault: true, setDefault: false }, { useDefault: true }],
    [{ type: 'newUsers', useDefault: false, setDefault: true }, { setDefault: true }],
    [{ type: 'none', startDate: null, intervalLength: null, intervalUnit: null }, {}],
    [{ type: 'fixed', ...every(1, null) }, every(1)],
    [
      { type: 'fixed', startDate: '2026-09-01', ...every(1), useDefault: true },
      { startDate: '2026-09-01', ...every(1), useDefault: true },
    ],
  ])('completes %j', (request, given) => {
    const settings = toSettings(request as Parameters<typeof toSettings>[0]);
    expect(settings).toEqual({ ...left, type: request.type, ...given });
    expect(toSettings(settings)).toEqual(settings);
  });

  test('keeps setDefault unless the request changes it', () => {
    expect(toSettings({ type: 'none' }, true)).toMatchObject({ setDefault: true });
    expect(toSettings({ type: 'none', setDefault: false }, true)).toMatchObject({ setDefault: false });
    expect(toSettings({ type: 'none', setDefault: false, useDefault: true }, true)).toMatchObject({ useDefault: true });
    expect(() => toSettings({ type: 'none', useDefault: true }, true)).toThrow(/body\/signatureSettings\/setDefault/);
  });

  test.each<[Parameters<typeof toSettings>[0], string]>([
    [{ type: 'fixed' }, 'startDate'],
    [{ type: 'fixed', startDate: null, intervalLength: null }, 'startDate'],
    [{ type: 'fixed', startDate: '2026-09-01', intervalUnit: 'years' }, 'intervalUnit'],
    [{ type: 'fixed', intervalUnit: 'years' }, 'intervalUnit'],
    [{ type: 'lastSignature' }, 'intervalLength'],
    [{ type: 'lastSignature', startDate: '2026-09-01' }, 'startDate'],
    [{ type: 'lastSignature', startDate: '2026-09-01', ...every(1) }, 'startDate'],
    [{ type: 'lastSignature', intervalUnit: 'months' }, 'intervalUnit'],
    [{ type: 'newUsers', startDate: '2026-09-01', intervalUnit: 'months' }, 'intervalUnit'],
    [{ type: 'none', startDate: '2026-09-01' }, 'startDate'],
    [{ type: 'none', ...every(1) }, 'intervalLength'],
    [{ type: 'none', intervalUnit: 'months' }, 'intervalUnit'],
  ])('rejects %j at %s, with or without useDefault', (request, field) => {
    for (const useDefault of [undefined, false, true]) {
      expect(() => toSettings({ ...request, useDefault })).toThrow(
        expect.objectContaining({
          code: 'invalid_request',
          details: [
            {
              field: `body/signatureSettings/${field}`,
              message: expect.stringMatching(/^(is required|requires|cannot be combined) /),
            },
          ],
        }),
      );
    }
  });

  test('rejects settings that both use and set the default', () => {
    const convert = () => toSettings({ type: 'none', useDefault: true, setDefault: true });
    expect(convert).toThrow(ApiError);
    expect(convert).toThrow(/body\/signatureSettings\/setDefault/);
  });
});
