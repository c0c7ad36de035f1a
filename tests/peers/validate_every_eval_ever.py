"""Holds a record against the schema and the checks of Every Eval Ever and prints what they find: FILE."""

import json
import sys
from pathlib import Path

import every_eval_ever
import jsonschema
from every_eval_ever.validator.validation_core import check_model_deployment, check_score_metadata

record = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
schema = json.loads((Path(every_eval_ever.__file__).parent / "schemas" / "eval.schema.json").read_text())
found = [f"{error.json_path}: {error.message}" for error in jsonschema.Draft7Validator(schema).iter_errors(record)]
found += check_score_metadata(record) + check_model_deployment(record)
if record["schema_version"] != schema["version"]:
    found.append(f"the schema is {schema['version']}, the record {record['schema_version']}")
sys.stdout.write(json.dumps(found))
