"""What the local AMap server knows: a few places of Hangzhou, in the shapes that AMap documents."""

from __future__ import annotations

from typing import Any

Entry = dict[str, Any]

DISTRICTS: list[Entry] = [
    {"citycode": [], "adcode": "330000", "name": "浙江省", "center": "120.152575,30.266619", "level": "province"},
    {"citycode": "0571", "adcode": "330100", "name": "杭州市", "center": "120.210792,30.246026", "level": "city"},
    {"citycode": "0571", "adcode": "330106", "name": "西湖区", "center": "120.130396,30.259242", "level": "district"},
    {"citycode": "0512", "adcode": "320500", "name": "苏州市", "center": "120.585294,31.299758", "level": "city"},
    {"citycode": "010", "adcode": "110000", "name": "北京市", "center": "116.407394,39.904211", "level": "province"},
    {"citycode": [], "adcode": "460000", "name": "海南省", "center": "110.348781,20.018639", "level": "province"},
    {
        "citycode": "0974", "adcode": "632500", "name": "海南藏族自治州", "center": "100.622692,36.296529",
        "level": "city",
    },
    {
        "citycode": "0691", "adcode": "532800", "name": "西双版纳傣族自治州", "center": "100.796984,22.009113",
        "level": "city",
    },
]  # fmt: skip


def _geocode(address: str, location: str, level: str, adcode: str, city: str = "杭州市") -> Entry:
    return {
        "formatted_address": address, "country": "中国", "province": "浙江省", "citycode": "0571", "city": city,
        "district": [], "township": [], "neighborhood": {"name": [], "type": []},
        "building": {"name": [], "type": []}, "adcode": adcode, "street": [], "number": [], "location": location,
        "level": level,
    }  # fmt: skip


GEOCODES: dict[str, Entry] = {
    "西湖": _geocode("浙江省杭州市西湖区西湖", "120.143222,30.247871", "兴趣点", "330106"),
    "龙井路1号": _geocode("浙江省杭州市西湖区龙井路1号", "120.130663,30.240018", "门牌号", "330106"),
    "湖滨": _geocode("浙江省杭州市上城区湖滨", "120.163500,30.254300", "热点商圈", "330102"),
    "杭州": _geocode("浙江省杭州市", "120.210792,30.246026", "市", "330100"),
    "西湖区": _geocode("浙江省杭州市西湖区", "120.130396,30.259242", "区县", "330106"),
    "凤起路地铁站": _geocode("浙江省杭州市上城区凤起路地铁站", "120.164500,30.263100", "公交地铁站点", "330102"),
    "楼外楼": _geocode("浙江省杭州市", "120.210792,30.246026", "市", "330100"),
    "苏州站": {
        **_geocode("江苏省苏州市姑苏区苏州站", "120.610800,31.330700", "兴趣点", "320508", "苏州市"),
        "province": "江苏省", "citycode": "0512",
    },
    "天安门": {
        **_geocode("北京市东城区天安门", "116.397455,39.909187", "兴趣点", "110101", ""), "city": [],
        "province": "北京市", "citycode": "010",
    },
}  # fmt: skip
"""楼外楼 is known to the search for places only: the geocoder gives the city instead."""


def _place(id_: str, name: str, type_: str, code: str, location: str, business: Any, **rest: Any) -> Entry:
    return {
        "id": id_, "parent": "", "name": name, "type": type_, "typecode": code, "location": location,
        "pname": "浙江省", "pcode": "330000", "cityname": "杭州市", "citycode": "0571", "adname": "西湖区",
        "adcode": "330106", "address": [], "distance": "", "business": business,
    } | rest  # fmt: skip


PLACES: list[Entry] = [
    _place(
        "B023B17M5D", "楼外楼(孤山路店)", "餐饮服务;中餐厅;浙江菜", "050114", "120.140600,30.252000",
        {
            "rating": "4.5", "cost": "176.00", "opentime_today": "11:00-14:00 17:00-20:30", "keytag": "浙江菜",
            "opentime_week": "周一至周日 11:00-14:00 17:00-20:30", "tag": "西湖醋鱼,叫花鸡,东坡肉",
            "tel": "0571-87969023;0571-87969682",
        },
        address="孤山路30号",
    ),
    _place(
        "B023B09L1U", "知味观(湖滨总店)", "餐饮服务;中餐厅;浙江菜", "050114", "120.163200,30.254900",
        {"rating": "4.3", "cost": "71.00", "opentime_today": "06:30-21:00"}, address="仁和路83号",
        adname="上城区", adcode="330102",
    ),
    _place(
        "B0FFG4UYZE", "新白鹿餐厅", "餐饮服务;中餐厅;浙江菜", "050114", "120.164800,30.256000",
        {"rating": "4.6", "cost": "68.00"}, adname="上城区", adcode="330102",
    ),
    _place(
        "B0FFHZ2QXA", "无名面馆", "餐饮服务;快餐厅;面馆", "050300", "120.150000,30.250000",
        {"rating": [], "cost": [], "tag": []},
    ),
    _place(
        "B023B02MVW", "西湖风景名胜区", "风景名胜;风景名胜;国家级景点", "110202", "120.143222,30.247871",
        {"rating": "4.9", "cost": [], "opentime_week": "24小时营业"},
    ),
    _place(
        "B023B0A5LR", "浙江省博物馆", "科教文化服务;博物馆;博物馆", "140100", "120.142000,30.256000",
        {"rating": "4.7", "opentime_week": "周二至周日 09:00-17:00"}, address="孤山路25号",
    ),
    _place("B0FFBARE01", "断桥", "风景名胜;风景名胜;风景名胜", "110200", "120.151600,30.258800", []),
    _place(
        "B0FFHOTEL1", "西湖国宾馆", "住宿服务;宾馆酒店;五星级宾馆", "100102", "120.133000,30.236000",
        {"rating": "4.8", "cost": "1280.00"}, address="杨公堤18号",
    ),
    *(
        _place(
            f"B0CAFE{nth:04d}", f"咖啡馆{nth}号", "餐饮服务;咖啡厅;咖啡厅", "050500", f"120.1{nth:02d}000,30.270000",
            {"rating": f"{3 + nth % 20 / 10:.1f}", "cost": f"{20 + nth}.00"},
        )
        for nth in range(60)
    ),
]  # fmt: skip


def cast(day: str, day_weather: str, night_weather: str, high: Any, low: Any) -> Entry:
    """One day of a forecast."""
    return {
        "date": day, "week": "1", "dayweather": day_weather, "nightweather": night_weather, "daytemp": high,
        "nighttemp": low, "daywind": "东", "nightwind": "东", "daypower": "1-3", "nightpower": "1-3",
    }  # fmt: skip


FORECAST: Entry = {
    "city": "西湖区", "adcode": "330106", "province": "浙江", "reporttime": "2026-05-01 11:33:00",
    "casts": [
        cast("2026-05-01", "多云", "小雨", "24", "16"), cast("2026-05-02", "晴", "晴", "27", "15"),
        cast("2026-05-03", "晴", "多云", "28", "17"), cast("2026-05-04", "阴", "阴", "22", "16"),
    ],
}  # fmt: skip

_POLYLINE = "120.143222,30.247871;120.150000,30.252000;120.160000,30.254000;120.163500,30.254300"

DRIVING: Entry = {
    "origin": "", "destination": "", "taxi_cost": "18",
    "paths": [
        {
            "distance": "5200", "restriction": "0",
            "cost": {"duration": "1141", "tolls": "5", "toll_distance": "900", "traffic_lights": "9"},
            "steps": [
                {
                    "instruction": "沿南山路行驶2.1千米右转", "orientation": "北", "road_name": "南山路",
                    "step_distance": "2100", "cost": {"duration": "500"}, "polyline": _POLYLINE,
                },
                {"instruction": "到达目的地", "orientation": [], "step_distance": "3100", "polyline": []},
            ],
        },
        {
            "distance": "6900", "restriction": "0", "cost": {"duration": "1300", "tolls": "0"},
            "steps": [{"instruction": "沿北山街行驶", "step_distance": "6900", "polyline": _POLYLINE}],
        },
    ],
}  # fmt: skip

WALKING: Entry = {
    "origin": "", "destination": "",
    "paths": [
        {
            "distance": "2600", "cost": {"duration": "2081"},
            "steps": [{"instruction": "沿湖滨路步行2600米", "step_distance": "2600", "polyline": _POLYLINE}],
        }
    ],
}  # fmt: skip

BICYCLING: Entry = {
    "origin": "", "destination": "",
    "paths": [
        {
            "distance": "2900", "duration": "730",
            "steps": [
                {"instruction": "沿湖滨路骑行2900米", "step_distance": "2900", "cost": {"duration": "730"},
                 "polyline": _POLYLINE}
            ],
        }
    ],
}  # fmt: skip

TRANSIT: Entry = {
    "origin": "", "destination": "", "distance": "4100", "cost": {"taxi_fee": "18"},
    "transits": [
        {
            "distance": "4876", "walking_distance": "734", "nightflag": "0",
            "cost": {"duration": "1502", "transit_fee": "2.0"},
            "segments": [
                {
                    "walking": {
                        "distance": "734", "cost": {"duration": "628"},
                        "steps": [
                            {"instruction": "步行734米", "polyline": {"polyline": "120.1432,30.2478;120.15,30.25"}}
                        ],
                    },
                    "bus": {
                        "buslines": [
                            {
                                "departure_stop": {"name": "苏堤", "location": "120.150000,30.250000"},
                                "arrival_stop": {"name": "湖滨", "location": "120.163500,30.254300"},
                                "name": "51路(延安新村--环城西路)", "type": "普通公交线路", "distance": "4142",
                                "cost": {"duration": "874"}, "via_num": "5",
                                "polyline": {"polyline": "120.15,30.25;120.1635,30.2543"},
                            },
                            {"name": "52路", "via_num": "6"},
                        ]
                    },
                    "railway": {"name": [], "spaces": []}, "taxi": [],
                },
                {
                    "walking": [], "bus": {"buslines": []}, "taxi": [],
                    "railway": {
                        "name": "沪昆线高铁", "trip": "G7371", "time": "1800", "distance": "0",
                        "departure_stop": {"name": "杭州东", "location": "120.212600,30.290800"},
                        "arrival_stop": {"name": "苏州", "location": "120.610800,31.330700"},
                    },
                },
            ],
        },
        {
            "distance": "5200", "cost": {"duration": "1800", "transit_fee": []},
            "segments": [{"walking": [], "bus": {"buslines": []}}],
        },
    ],
}  # fmt: skip
