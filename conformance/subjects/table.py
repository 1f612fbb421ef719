"""Prints what a certification came to and writes its row into the table of a page: table.py NAME REPORT.json PAGE.md"""

import json
import re
import sys

name, report, page = sys.argv[1:]
with open(report) as f:
    r = json.load(f)
summary, told = r['summary'], r['description']
count = summary['results'].get
for result in r['results']:
    if result['status'] in ('fail', 'unexpected-pass', 'could-not-run'):
        print(f'{result["status"]}: {result["scenario"]}: {result["cause"]}: {result["detail"]}')
        print(result['diff'][:2000])
for problem in summary['problems']:
    print(problem)
passed, known, unsupported = count('pass', 0), count('known-fail', 0), count('unsupported', 0)
print(f'{passed} passed, {len(r["results"]) - passed - known - unsupported} failed, {known} known to fail, {unsupported} unsupported')
row = (
    f'| [{name}](conformance/subjects/{name}) | {told["sdk"]} {told["sdkVersion"]} | {told["driver"]} '
    f'| {summary["features"]} of {summary["ofFeatures"]} | {passed} | {known} | {unsupported} |'
)
with open(page) as f:
    text = f.read()
rows = re.compile(r'^\| \[' + re.escape(name) + r'\]\(conformance/subjects/.*$', re.M)
if not rows.search(text):
    sys.exit(f'{page} has no row for {name}')
with open(page, 'w') as f:
    f.write(rows.sub(lambda _: row, text))
