/**
 * Documents exactly as they are stored. Each must survive import and export byte for byte; the
 * server's sanitizer is held to the same list.
 */

const LINK = 'target="_blank" rel="noopener noreferrer nofollow"';

/** Name and stored HTML of each sample. */
export const STORED_DOCUMENTS: Readonly<Record<string, string>> = {
  "an empty paragraph": "<p><br></p>",
  "plain text": "<p>Plain text.</p>",
  "several paragraphs": "<p>One</p><p><br></p><p>Three</p>",
  headings: "<h1>One</h1><h2>Two</h2><h3>Three</h3>",
  "an empty heading": "<h2><br></h2>",
  "a quote": "<blockquote>Said so</blockquote><blockquote>Again</blockquote>",
  "each format": "<p><strong>a</strong><em>b</em><s>c</s><code>d</code><mark>e</mark></p>",
  "all formats at once":
    '<p><mark style="color:#b3261e;background-color:#fff0a3"><strong><em><s><code>x</code></s></em></strong></mark></p>',
  "overlapping formats": "<p>a<strong>b</strong><strong><em>c</em></strong><em>d</em>e</p>",
  "text colours":
    '<p><span style="color:#b3261e">red</span><span style="color:#1a56b0"><strong>blue</strong></span></p>',
  highlights: '<p><mark style="background-color:#fff0a3">yellow</mark><mark>default</mark></p>',
  "a colour outside the palette": '<p><span style="color:#e60000">legacy</span></p>',
  escapes: "<p>1 &lt; 2 &amp;&amp; 3 &gt; 2 \"quoted\" 'single' &amp;amp;</p>",
  "inner spaces": "<p>a  b   c</p>",
  "spaces at the ends": "<p> a </p><p>  </p>",
  "spaces around formats": "<p>a <strong> b </strong> c</p>",
  "no-break space": "<p>10&nbsp;km&nbsp;</p>",
  tabs: "<p>a\tb<strong>\tc</strong></p>",
  "a line break": "<p>a<br>b</p>",
  "trailing line breaks": "<p>a<br><br></p><p><br><br></p>",
  "a leading line break": "<p><br>a</p>",
  "emoji and right-to-left": "<p>👩‍👩‍👧 مرحبا 漢字 e\u0301</p>",
  "a bullet list": "<ul><li>a</li><li>b</li></ul>",
  "an ordered list": "<ol><li>a</li><li>b</li></ol>",
  "an ordered list from five": '<ol start="5"><li>a</li><li>b</li></ol>',
  "nested lists": "<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>",
  "two lists in one item": "<ul><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li></ul>",
  "a list that starts nested": "<ul><li><ul><li>a</li></ul></li><li>b</li></ul>",
  "empty items": "<ul><li><br></li><li>a</li><li><br><ul><li>b</li></ul></li></ul>",
  "a line break in an item": "<ul><li>a<br>b</li><li>c<br><br><ul><li>d</li></ul></li></ul>",
  "formats in items": "<ol><li><strong>a</strong> b</li></ol>",
  "neighbouring lists": "<ul><li>a</li></ul><ol><li>b</li></ol>",
  "a code block": "<pre>let a = 1 &lt; 2;<br>\treturn  a;</pre>",
  "a code block with a language": '<pre data-language="rust">fn main() {}</pre>',
  "an empty code block": "<pre><br></pre>",
  "a code block with empty lines": "<pre><br>a<br><br><br></pre>",
  "a rule": "<p>a</p><hr><p>b</p>",
  "a link": `<p>see <a href="https://example.com/?a=1&amp;b=2#c" ${LINK}>here</a>.</p>`,
  "formats in a link": `<p><a href="https://example.com/" ${LINK}>a<strong>b</strong></a></p>`,
  "two links side by side": `<p><a href="https://a.example/" ${LINK}>a</a><a href="https://b.example/" ${LINK}>b</a></p>`,
  "a link in each block": `<h1><a href="http://h.example" ${LINK}>h</a></h1><blockquote><a href="http://q.example" ${LINK}>q</a></blockquote><ul><li><a href="http://l.example" ${LINK}>l</a></li></ul>`,
  ...Object.fromEntries(
    [
      "http://example.com",
      "https://example.com/a(b)?q=%22x%22",
      "ftp://files.example.com/a.txt",
      "ftps://files.example.com/a.txt",
      "mailto:ann@example.com?subject=Hi",
      "tel:+41791234567",
      "callto:ann",
      "sms:+41791234567",
      "cid:part1@example.com",
      "xmpp:ann@example.com",
    ].map((url) => [`a link to ${url}`, `<p><a href="${url}" ${LINK}>x</a></p>`]),
  ),
};
