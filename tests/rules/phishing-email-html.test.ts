import { judgeHtml } from '../../src/resources/simulations/templates/phishing-email-html.ts';

function faultsOf(html: string): string[] {
  const faults: string[] = [];
  judgeHtml(html, ['firstName', 'link'], (field, words) => faults.push(`${field} ${words}`));
  return faults;
}

test.each([
  'Plain words &amp; signs: 3 &lt; 4',
  '<ul><li>one<li>two</ul><table><tr><td>x<td>y</table>',
  '<h1>Title</h1>\n<p align="center">Hello <b>{{firstName}}</b>,<br>see <a href="{{link}}">this</a>.</p><hr>',
  '<ul><li>one</li><li>two</li></ul><blockquote lang="de">Wort</blockquote>',
  '<table border="0" cellpadding="4" bgcolor="#ffffff"><tbody><tr><td colspan="2" valign="top">x</td></tr></tbody></table>',
  `<div style="max-width:560px; margin:0 auto; border:1px solid #ddd; font:16px Arial, 'DejaVu Sans'">x</div>`,
])('%s is accepted', (html) => {
  expect(faultsOf(html)).toEqual([]);
});

const elements = [
  ...'script style form input button textarea select iframe object embed img svg math video audio link meta'.split(' '),
  ...'base template noscript details marquee font picture source x-own'.split(' '),
];
test.each(elements)('the element %s is rejected by name', (element) => {
  expect(faultsOf(`<${element}></${element}>`).join()).toContain(`html must not have the element ${element}`);
});

test.each([
  ['<p onclick="x()">x</p>', 'the attribute onclick'],
  ['<p class="x">x</p>', 'the attribute class'],
  ['<p id="x">x</p>', 'the attribute id'],
  ['<table background="https://evil.example/a.png"></table>', 'the attribute background'],
  ['<p align="{{firstName}}">x</p>', 'the attribute align with the value {{firstName}}'],
  ['<a>x</a>', '<a> without href'],
  ['<a href="https://evil.example">x</a>', 'a link to https://evil.example'],
  ['<a href="{{link}}.evil">x</a>', 'a link to {{link}}.evil'],
  ['<a href="javascript:x">x</a>', 'a link to javascript:x'],
  ['<a href="{{link}}" target="_blank">x</a>', 'the attribute target'],
  ['<p style="background:url(https://evil.example)">x</p>', 'the style background:url(https://evil.example)'],
  [String.raw`<p style="background:u\72l">x</p>`, 'the style background:u'],
  ['<p style="background:/**/red">x</p>', 'the style background:/**/red'],
  ['<p style="position:fixed">x</p>', 'the style position:fixed'],
  ['<p style="background-image:none">x</p>', 'the style background-image:none'],
  ['<!-- x --><p>x</p>', 'a comment or a declaration'],
  ['<p>evil<b>.example</b></p>', 'has evil.example'],
  ['<a href="{{link}}">&#x202e;knab&#x202c;</a>', 'a character that reverses text'],
])('%s is rejected', (html, fault) => {
  expect(faultsOf(html).join()).toContain(fault);
});

test.each([
  ...[
    '<b><i>x</b></i>',
    '<p <b>x</b>',
    '<p a="1" a="2">x</p>',
    '</p>',
    '</form>',
    '<p/x>y</p>',
    '<!-->x',
    '<?x ?>',
    '<![CDATA[x]]>',
  ],
  ...['a & b &ampx', '<html><p>x</p></html>', '<body onload="x">', '<p style="color:red">x</p', '<p>\u0000</p>'],
])('malformed HTML is rejected: %j', (html) => {
  expect(faultsOf(html)).not.toEqual([]);
});

test('deeply nested HTML is accepted', () => {
  expect(faultsOf(`${'<div>'.repeat(20_000)}${'</div>'.repeat(20_000)}`)).toEqual([]);
});
