import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
for pattern in given["patterns"]:
    matches = re.compile(pattern).search
    print("".join("1" if matches(text) else "0" for text in given["texts"]))
